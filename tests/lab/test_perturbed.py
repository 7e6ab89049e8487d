"""Perturbations: what they change, and that they can be had again."""

from __future__ import annotations

import numpy as np
import pytest

from lab.measure_perturbed import KINDS, MIXED, Perturbation, mixture, only

PICTURE = np.random.default_rng(1).integers(40, 200, (60, 80, 3)).astype(np.uint8)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_changes_a_picture_and_not_its_shape(kind: str) -> None:
    seen = Perturbation([kind], 4)(PICTURE)
    assert (seen.shape, seen.dtype) == (PICTURE.shape, PICTURE.dtype)
    assert (seen != PICTURE).mean() > 0.1


def test_a_seed_gives_the_same_picture_again() -> None:
    np.testing.assert_array_equal(mixture(3)(PICTURE), mixture(3)(PICTURE))


def test_two_pictures_of_one_game_have_the_same_light_and_noise_of_their_own() -> None:
    light, noise = Perturbation(["light"], 5), Perturbation(["noise"], 5)
    np.testing.assert_array_equal(light(PICTURE), light(PICTURE))
    assert (noise(PICTURE) != noise(PICTURE)).any()


def test_one_kind_alone_is_the_same_for_a_picture_and_another_for_the_next() -> None:
    perturbed = [only("shade")(name, 0)(PICTURE) for name in ("05.jpg", "05.jpg", "06.jpg")]
    assert only("shade")("05.jpg", 0).kinds == ("shade",)
    np.testing.assert_array_equal(*perturbed[:2])
    assert (perturbed[1] != perturbed[2]).any()


def test_a_mixture_has_two_kinds_or_three() -> None:
    assert {len(set(mixture(seed).kinds)) for seed in range(20)} == {2, MIXED}
