#!/bin/sh
# Makes a base backup to recover from, verifies it, and prints its folder.
#
#   base-backup.sh 'host=db-2 user=replicator' /var/lib/assay-backups
#
# Its name is the time at which it began: it can be recovered to any second after it ended.
set -eu
connection=$1 backups=$2

backup="$backups/$(date -u +%Y-%m-%dT%H-%M-%SZ)"
trap 'rm -rf "$backup.unfinished"' EXIT
pg_basebackup --dbname "$connection" --pgdata "$backup.unfinished" --checkpoint fast --no-password
pg_verifybackup --quiet "$backup.unfinished"
sync -f "$backup.unfinished"
mv "$backup.unfinished" "$backup"
sync "$backups"
echo "$backup"
