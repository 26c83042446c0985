// SPDX-License-Identifier: GPL-2.0-only
/*
 * mlt-leaderless: a process whose first thread exits while another goes on, asleep.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *sleeper(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int main(void)
{
	pthread_t thread;
	int err = pthread_create(&thread, NULL, sleeper, NULL);

	if (err) {
		fprintf(stderr, "mlt-leaderless: pthread_create: error %d\n", err);
		return 1;
	}
	pthread_exit(NULL);
}
