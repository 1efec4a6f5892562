"""Which file system a path lies on, from the kernel's table."""

from pathlib import Path

from navlog.daemon.mounts import file_system, is_network

TABLE = rb"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /mnt/with\040space rw shared:9 master:2 - nfs4 server:/x rw
31 22 0:41 / /mnt rw - tmpfs tmpfs rw
32 22 0:42 / /mnt rw - 9p share rw
broken line
"""


def test_the_deepest_mount_wins_and_the_later_of_two() -> None:
    assert file_system(Path("/somewhere"), TABLE) == "ext4"
    assert file_system(Path("/mnt/file"), TABLE) == "9p"
    assert file_system(Path("/mnt/with space/file"), TABLE) == "nfs4"


def test_a_name_that_only_begins_like_a_mount_is_not_below_it() -> None:
    assert file_system(Path("/mnted"), TABLE) == "ext4"


def test_network_file_systems_are_known_by_type() -> None:
    assert is_network("nfs4")
    assert is_network("9p")
    assert not is_network("ext4")
    assert not is_network("")


def test_the_real_table_knows_proc() -> None:
    assert file_system(Path("/proc/self")) == "proc"
