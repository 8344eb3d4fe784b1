#!/bin/sh
# Archives one segment of PostgreSQL's write-ahead log: complete and synced, or not at all.
#
#   archive_command = '/etc/assay/archive-wal.sh "%p" "%f" /var/lib/assay-archive'
#
# PostgreSQL keeps the segment and asks again until this exits with 0. The archive belongs on another machine's disk.
set -eu
segment=$1 name=$2 archive=$3

if [ -e "$archive/$name" ]; then
  # A crash between the copy and its acknowledgement makes PostgreSQL ask again. Other contents are another server's.
  cmp -s "$segment" "$archive/$name" && exit 0
  echo "archive-wal: $archive/$name exists and is not this segment: two servers archive into one folder" >&2
  exit 1
fi

copy="$archive/.$name.$$"
trap 'rm -f "$copy"' EXIT
cp "$segment" "$copy"
sync "$copy"
# Unlike mv, ln never replaces a file that has appeared meanwhile.
ln "$copy" "$archive/$name"
sync "$archive"
