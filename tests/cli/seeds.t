# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0-only
# The tables of the founding mails, to the digit and to the byte.

tsv=$tree/tests/cases/seed-tables.tsv
ok "recordings are made from the figures" "$here/seed_recordings" "$tsv" .
for style in text markdown csv json; do
	docs=()
	for doc in waits swap ebizzy hold vmstat-without vmstat-with; do
		t "$doc as $style" 0 - "" diff -f "$style" "$doc-before.json" \
			"$doc-after.json"
		printf '%s\n' "$out" > "$doc.$style"
		[ "$style" != text ] || narrow "$doc as text"
		docs+=("$doc=$doc.$style")
		# What people saw and approved; a change of it is to be seen.
		ok "$doc as $style is as it was" \
			diff -u "$tree/tests/cases/golden/$doc.$style" "$doc.$style"
	done
	ok "every figure of the mails as $style" \
		"$here/seed_check" "$tsv" "$style" "${docs[@]}"
done
# The check itself can fail: one digit is enough.
sed 's/20,010/20,011/' waits.text > wrong.text
ok "a wrong digit is found" eval "! '$here/seed_check' '$tsv' text waits=wrong.text \
	swap=swap.text ebizzy=ebizzy.text hold=hold.text \
	vmstat-without=vmstat-without.text vmstat-with=vmstat-with.text"
t "a factor beside a huge change" 0 '\+2658618.97% \(26,587x\)' '' \
	diff swap-before.json swap-after.json
t "exact averages, not truncated ones" 0 'Avg Wait .* 534.53 +71.42 +-86.64%' \
	'534.00' diff waits-before.json waits-after.json
ok "markdown has as many cells in each row of a table" "$here/cell_check" waits.markdown
