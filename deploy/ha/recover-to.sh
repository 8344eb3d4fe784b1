#!/bin/sh
# Prepares a data folder that PostgreSQL recovers to a point in time when it is started on it.
#
#   recover-to.sh /var/lib/assay-backups/2026-11-15T03-17-00Z /var/lib/assay-archive /var/lib/postgresql/recovered '2026-11-15 14:05:59+00'
#
# Whatever was committed before that time is there, and nothing that was committed from then on. Base backup and archive stay as they are.
set -eu
backup=$1 archive=$2 folder=$3 time=$4

fail() {
  echo "recover-to: $1" >&2
  exit 1
}
[ -f "$backup/backup_label" ] || fail "$backup is not a base backup"
[ -d "$archive" ] || fail "$archive is not a folder"
[ ! -e "$folder" ] || fail "$folder exists: name a new folder"
echo "$time" | grep -Eq '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$' ||
  fail "\"$time\" is no time with its zone, such as 2026-11-15 14:05:59+00"
# While it reads its settings, PostgreSQL knows no names of zones, not even Z.
time=$(echo "$time" | sed 's/T/ /; s/Z$/+00/')

trap 'rm -rf "$folder.unfinished"' EXIT
cp -a "$backup" "$folder.unfinished"
chmod 700 "$folder.unfinished"
cat >> "$folder.unfinished/postgresql.auto.conf" <<END
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '$time'
recovery_target_inclusive = off
recovery_target_action = promote
# The next two are for a look at the data: remove them when this server goes into service. A second server must not write
# into the first one's archive, and commits must not wait for a standby that does not exist yet.
archive_mode = off
synchronous_standby_names = ''
END
touch "$folder.unfinished/recovery.signal"
mv "$folder.unfinished" "$folder"
