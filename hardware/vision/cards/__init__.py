"""Cards: each kind is learned from one picture, then recognised on the table any way up.

book = CardBook().taught("skip", picture).taught("nope", other)
CardReader(book.cards).read_cards(frame).cards    # (Card("skip", 0.99, corners), …)
"""

from hardware.vision.cards.book import CardBook
from hardware.vision.cards.discard_watcher import DiscardWatcher
from hardware.vision.cards.reader import CardReader

__all__ = ["CardBook", "CardReader", "DiscardWatcher"]
