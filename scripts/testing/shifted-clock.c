/*
 * A clock that is ASSAY_TEST_CLOCK_SECONDS ahead of the machine's (or behind, if negative), and runs like it. Preloaded into
 * tests, services and databases, which then live on another day. Timers and timeouts measure the machine's monotonic
 * clock, and files have the machine's times. A program that does not call the C library (Go's) has the machine's clock.
 *
 * libfaketime looks up symbols when a clock is first read, which allocates memory, and jemalloc reads a clock while it
 * prepares to allocate any: redis-server would wait for itself. Nothing here allocates memory or looks anything up.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t ahead_seconds;

__attribute__((constructor)) static void read_environment(void) {
  const char *value = getenv("ASSAY_TEST_CLOCK_SECONDS");
  if (value != NULL) ahead_seconds = (time_t)strtoll(value, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead_seconds;
  return result;
}

int timespec_get(struct timespec *now, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *kept) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (kept != NULL) *kept = precise.tv_sec;
  return precise.tv_sec;
}

/*
 * A deadline that the program took from its shifted clock is one of the machine's clock here. Which clock a condition
 * waits for is known to the C library alone, but the monotonic one counts from the machine's start: no machine has run
 * for a billion seconds.
 */
static clockid_t clock_of(struct timespec *deadline) {
  if (deadline->tv_sec - ahead_seconds < 1000000000) return CLOCK_MONOTONIC;
  deadline->tv_sec -= ahead_seconds;
  return CLOCK_REALTIME;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  struct timespec until = *deadline;
  const clockid_t clock = clock_of(&until);
  return pthread_cond_clockwait(condition, mutex, clock, &until);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  struct timespec until = *deadline;
  const clockid_t clock = clock_of(&until);
  return pthread_mutex_clocklock(mutex, clock, &until);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  struct timespec until = *deadline;
  const clockid_t clock = clock_of(&until);
  return sem_clockwait(semaphore, clock, &until);
}
