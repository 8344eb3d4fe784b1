/*
 * A disk that forgets at a power cut what was not synced. Preloaded into the processes that write below ASSAY_TEST_DISK.
 *
 * Writes reach the files as ever. At fsync and fdatasync the file is copied to the platter, the folder ASSAY_TEST_PLATTER,
 * which is all that is left after the cut: power-cut.ts makes the folder from it again.
 *
 * - A file's content is there as of its last sync. Nothing else makes it durable: neither time, close, nor sync_file_range.
 * - A name (created, renamed, linked or removed) is there as of the last sync of its folder; syncing the file is not enough.
 *   Most file systems promise more than that.
 * - Content belongs to an inode, and names lead to inodes: PLATTER/<inode> is a file's content, PLATTER/<inode>.names a
 *   folder's list of "<f or d> <inode> <name>". A file that is removed is kept, so that
 *   its inode's number is not used again. Removing folders is not modelled.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES 4096
#define PATH_BYTES (PATH_MAX + 64)

static char *disk, *platter;

/* PostgreSQL writes its process title over the environment, hence the copies. */
__attribute__((constructor)) static void read_environment(void) {
  const char *disk_value = getenv("ASSAY_TEST_DISK"), *platter_value = getenv("ASSAY_TEST_PLATTER");
  if (disk_value == NULL || platter_value == NULL) return;
  platter = strdup(platter_value);
  disk = strdup(disk_value);
}

/* A cut disk that cannot be trusted is worse than none. */
static void give_up(const char *what) {
  fprintf(stderr, "platter: %s: %s\n", what, strerror(errno));
  abort();
}

static int is_on_disk(const char *path) {
  size_t length = disk == NULL ? 0 : strlen(disk);
  return length > 0 && strncmp(path, disk, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int is_open_on_disk(int descriptor) {
  char link[64], path[PATH_BYTES];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return is_on_disk(path);
}

static int open_on_platter(int flags, const char *format, ...) {
  char name[PATH_BYTES], path[2 * PATH_BYTES];
  va_list values;
  va_start(values, format);
  vsnprintf(name, sizeof name, format, values);
  va_end(values);
  snprintf(path, sizeof path, "%s/%s", platter, name);
  int opened = open(path, flags | O_CREAT | O_CLOEXEC, 0600);
  if (opened < 0) give_up(path);
  return opened;
}

static void copy_blocks(int from, int to, off_t size) {
  char now[BLOCK_BYTES], then[BLOCK_BYTES];
  for (off_t at = 0; at < size; at += BLOCK_BYTES) {
    ssize_t have = pread(from, now, BLOCK_BYTES, at);
    if (have < 0) give_up("reading a file");
    ssize_t had = pread(to, then, BLOCK_BYTES, at);
    if (have == had && memcmp(now, then, have) == 0) continue;
    if (pwrite(to, now, have, at) != have) give_up("writing to the platter");
  }
  if (ftruncate(to, size) != 0) give_up("truncating on the platter");
}

static void sync_file(int descriptor, const struct stat *file) {
  /* The descriptor may have been opened for writing only. */
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  int from = open(path, O_RDONLY | O_CLOEXEC);
  if (from < 0) give_up("opening a file again");
  int to = open_on_platter(O_RDWR, "%llu", (unsigned long long)file->st_ino);
  copy_blocks(from, to, file->st_size);
  close(to);
  close(from);
}

static void sync_names(int descriptor, const struct stat *folder) {
  char path[64], draft[2 * PATH_BYTES], list[2 * PATH_BYTES];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  snprintf(draft, sizeof draft, "%s/draft", platter);
  snprintf(list, sizeof list, "%s/%llu.names", platter, (unsigned long long)folder->st_ino);
  DIR *entries = opendir(path);
  FILE *lines = fopen(draft, "we");
  if (entries == NULL || lines == NULL) give_up("reading a folder");
  for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    struct stat each;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (fstatat(dirfd(entries), entry->d_name, &each, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(each.st_mode) && !S_ISDIR(each.st_mode)) continue;
    fprintf(lines, "%c %llu %s\n", S_ISDIR(each.st_mode) ? 'd' : 'f', (unsigned long long)each.st_ino, entry->d_name);
  }
  closedir(entries);
  if (fclose(lines) != 0 || rename(draft, list) != 0) give_up("listing a folder");
}

/* One at a time, over all processes: otherwise an older copy could replace a newer one. */
static int sync_to_platter(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  int lock = open_on_platter(O_RDWR, "lock");
  while (flock(lock, LOCK_EX) != 0) if (errno != EINTR) give_up("locking the platter");
  if (fstat(descriptor, &status) != 0) give_up("reading a file's size");
  if (S_ISDIR(status.st_mode)) sync_names(descriptor, &status);
  else sync_file(descriptor, &status);
  int count = open_on_platter(O_WRONLY | O_APPEND, "syncs");
  if (write(count, ".", 1) != 1) give_up("counting a sync");
  close(count);
  close(lock);
  return 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int descriptor) {
  return is_open_on_disk(descriptor) ? sync_to_platter(descriptor) : REAL(fsync)(descriptor);
}

int fdatasync(int descriptor) {
  return is_open_on_disk(descriptor) ? sync_to_platter(descriptor) : REAL(fdatasync)(descriptor);
}

static void keep_inode(int folder, const char *name) {
  char path[PATH_BYTES], kept[2 * PATH_BYTES], link[64];
  struct stat status;
  if (disk == NULL || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) return;
  if (name[0] == '/') snprintf(path, sizeof path, "%s", name);
  else {
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    snprintf(path + length, sizeof path - length, "/%s", name);
  }
  if (!is_on_disk(path)) return;
  snprintf(kept, sizeof kept, "%s/%llu.kept", platter, (unsigned long long)status.st_ino);
  if (linkat(folder, name, AT_FDCWD, kept, 0) != 0 && errno != EEXIST && errno != ENOENT) give_up("keeping an inode");
}

int unlink(const char *path) {
  keep_inode(AT_FDCWD, path);
  return REAL(unlink)(path);
}

int unlinkat(int folder, const char *path, int flags) {
  if ((flags & AT_REMOVEDIR) == 0) keep_inode(folder, path);
  return REAL(unlinkat)(folder, path, flags);
}

int remove(const char *path) {
  keep_inode(AT_FDCWD, path);
  return REAL(remove)(path);
}

int rename(const char *from, const char *to) {
  keep_inode(AT_FDCWD, to);
  return REAL(rename)(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  keep_inode(to_folder, to);
  return REAL(renameat)(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
  keep_inode(to_folder, to);
  return REAL(renameat2)(from_folder, from, to_folder, to, flags);
}
