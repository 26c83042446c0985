// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replays files through a fuzz target, without clang: every seed stays a test.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *in = fopen(path, "r");
	size_t size;

	if (!in) {
		perror(path);
		return 1;
	}
	size = fread(data, 1, sizeof(data), in);
	fclose(in);
	printf("# %s, %zu bytes\n", path, size);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, size);
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (replay(argv[i]))
			return 1;
	return argc < 2;
}
