"""The settings of the C library that a server asks for."""

import platform

import pytest

from lapse.faces.allocating import keep_little


def test_glibc_agrees_and_other_libraries_are_left_alone() -> None:
    assert keep_little({}) == (platform.libc_ver()[0] == "glibc")


@pytest.mark.parametrize("name", ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES"])
def test_what_an_operator_has_set_stays(name: str) -> None:
    assert not keep_little({name: "4"})
