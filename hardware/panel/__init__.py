"""The panel: a button and a lamp for each seat, an undo button, a buzzer and a status lamp."""
