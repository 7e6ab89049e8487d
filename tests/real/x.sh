. tests/real/roots.sh
. tests/real/machine.sh
machine_root
ls -la $root/opt/initrd/modules
