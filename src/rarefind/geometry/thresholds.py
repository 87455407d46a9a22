"""From how many records, columns and bytes on which way of computing is taken, and why.

Almost every way gives the same answers, so that a threshold decides about time and memory alone;
where one decides more, it says so. They are looked up when used, so that a test may set one. How
much memory a single result may take is asked of ``core/memory_guard.py``, how many processors there
are of ``core/threads.py``.
"""

from __future__ import annotations

# ---- distances -------------------------------------------------------------------------------

BLOCK_BYTES = 64 * 2**20
"""The largest block of distances held at a time: small beside any machine's memory, and large
enough that a call into numpy for each block is not felt."""

DIRECT_DIMENSIONS = 16
"""Up to this many dimensions coordinates are subtracted; beyond, a matrix product is faster.
Measured on all pairs of
1,500 records, thousandths of a second of one processor, subtracting and multiplying: 8 and 15 in
four dimensions, 10 and 15 in eight, 21 and 16 in sixteen, 60 and 19 in 64. Subtracting loses no
digits, so it is kept to the upper end."""

KEPT_RECORDS = 4_000
"""Distances among up to so many records that only a kernel can compare are kept: 128 MB. A
strategy's set-up asks for all of them at least once, and each question for several rows: of 240
trees a row by itself costs half as much as all rows together, since what the kernel learns of the
records is worked out anew."""

KEPT_MATRICES = 5
"""So many matrices of that size are in memory while distances are made of similarities."""

ALL_PAIRS_RECORDS = 20_000
"""With more records than this that only a kernel can compare, the service takes a strategy that
does not look at all pairs, and says so: 200 million similarities take hours with most kernels."""

# ---- neighbours ------------------------------------------------------------------------------

FEW_QUERIES = 8
"""For so few queries all distances are computed rather than bounds on them. Measured
among 20,000 records of 20 columns, thousandths of a second: 0.7 and 5.3 for two queries, 2.6 and
6.5 for eight, 10.4 and 7.5 for 32."""

NEAREST_TREE_DIMENSIONS = 8
"""Up to this many dimensions a k-d tree that is built for one search finds neighbours faster than
bounds on all pairs. Measured for the ten nearest of 5,000 records in one crowd, seconds
of one processor: 0.09 and 0.38 in six dimensions, 0.19 and 0.38 in eight, 0.44 and 0.37 in ten; in
eight crowds the tree still needs less in twelve, 0.13 and 0.31."""

# ---- engines ---------------------------------------------------------------------------------

ENGINE_TREE_DIMENSIONS = 15
"""Up to this many dimensions an engine is a k-d tree, which is built once and answers about few
records at a time; blocks of distances answer about all of them. Measured for all
questions about the ten nearest at once, which suit blocks best: of 6,000 records in eight crowds
0.18 s against 0.34 in fifteen dimensions, of 5,000 in one crowd 0.84 against 0.37, and both the
same in eight. Records of people lie in crowds."""

FLAT_COLUMNS, FLAT_DIMENSIONS = 250, 7.0
"""With this many columns at most a tree is still faster if records spread in so few directions, as
tables with categories do: looking at every column of a wide record takes what the tree saves."""

FLAT_ROWS = 2000
"""With fewer records than this the directions are not counted: blocks are fast enough."""

BOXED_ROWS, BOXED_DIMENSIONS = 100_000, range(5, 16)
"""From so many records on, of so many dimensions, neighbours are found and counted in boxes. In
fewer dimensions a tree is as fast, and with fewer records compiling, about nine seconds, takes
longer than it saves."""

BOXED_QUERIES, BOXED_NEIGHBOURS = 2_000, 200
"""Neighbours of fewer records than this, or more neighbours, are found in the tree all the same.
Measured for ten neighbours among 100,000 records of eight dimensions in eight crowds, seconds of
one processor, tree and boxes without making them: 0.042 and 0.041 for 500 records, 0.19 and 0.087
for 2,000, 0.65 and 0.19 for 8,000."""

PROJECTED_ROWS, PROJECTED_COLUMNS = 20_000, 32
"""From so many records and columns on, directions of little spread may be worth leaving out at
first; four blocks are tried before it is believed. Measured for the ten nearest of all records that
spread in six directions, seconds of one processor, with those alone and with all columns: 0.79 and
1.07 of 10,000 x 32, 1.95 and 2.07 of 20,000 x 16, 1.74 and 2.46 of 20,000 x 32."""

# ---- what was found out is kept ----------------------------------------------------------------

KEPT_SECONDS = 0.05
"""Answers of an engine that took less of a processor are not kept in files: reading and checking
one takes 0.02 s for each million numbers, and few answers hold more than some hundreds. Of 105,000
records of 41 columns, 38 answers of 0.06 to 0.2 s each make a third of what opening again took."""

KEPT_BYTES = 2**30
"""Files of one hunt together are no larger: 105,000 records of 41 columns need an eighth."""

# ---- maps and votes ----------------------------------------------------------------------------

SKETCHED_COLUMNS = 2000
"""Up to so many columns the map shows the components themselves, beyond a random sketch of them.
Measured with 2,000 records, seconds of one processor, components and sketch: 0.24 and 0.08 in 1,000
columns, 1.8 and 0.11 in 2,000, 5.6 and 0.19 in 3,000, where somebody would wait for the map."""

THREADED_VOTES, VOTE_THREADS = 2**23, 4
"""From so many votes of LAGO on, threads are worth starting, and so many at most: more wait for
memory rather than compute. The batches of a long file, scored side by side, stay below."""

SINGLE_PRECISION_VOTES = 5_000_000
"""From so many votes on they may be taken in single precision, which leaves scores seven digits."""
