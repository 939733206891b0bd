"""What is known before looking at a tile: the decoder's log-odds (natural logarithms), each with its source.

Where a count is given it is of the 73 hands of 80 annotated photos of fourteen tile sets; values are rounded,
and none was tuned to make a single photo come out.
"""

from __future__ import annotations

import math

# --- names ------------------------------------------------------------------------------------------------
# The namer is calibrated on sets like those it was trained on; on unfamiliar ones it is sometimes wrong and
# sure. Four tiles in a thousand may be anything, so no name is ever ruled out (at most 9.3 against it).
NAME_FLOOR = 0.004
# A fifth copy of a tile or a second one of a flower: as good as impossible, yet clear evidence is reported
# as such (one in seven hundred).
FIFTH_COPY = -6.5

# --- finds ------------------------------------------------------------------------------------------------
# The locator's confidence says little by itself: it is low for every tile of a dark photo. Beside that in the
# photo's nearest tiles (the upper quartile, by area, in log-odds) it says whether a find is a tile at all:
# of those less sure by 2 one in fifty is, by 1.2 one in three, by 0.7 six in ten, by 0.2 nineteen in twenty
# (1,173 tiles and 620 finds that are none or nobody's, keyboards left out).
TYPICAL_SCORE = 0.75
SCORE_HALF = -0.95
SCORE_SLOPE = 3.5
# How surely the namer takes for a face what is none: characters printed on a rack, keys, dice. Most of them
# get no name that stands out.
FACES_ON_NOTHING = 0.05
# Nothing and tiles differ in how far one name stands out. The log-odds of nothing fall with those of the
# likeliest name: of 598 finds that are none 42 % have no name of at least 0.5, 12 % one from 0.9 to 0.98, 2 %
# one above 0.999; of 1,206 tiles 0.4 %, 3 % and 70 %. Prints on a rack and keys share a row, so the odds of
# finds that touch add up; few rows are prints (-8, -5 and -3 gave 65, 65 and 68 whole hands of 80).
UNCLEAR_HALF = 4.3
UNCLEAR_SLOPE = 1.05
UNCLEAR_MOST = 4.0
PRINTED = -4.0
# Tiles of one photo are unclear together, in dim light or of an unfamiliar set, which the sum does not know:
# ten names of 0.97 would make a hand a print. So a name of CLEAR speaks for a tile, by this much at least.
# The same 73 hands of 80 come out right as without it, with as many false finds; from 0.95 on, with two more.
CLEAR = 0.97
CLEAR_LEAST = -0.5
# In line among tiles one find in a hundred is none; elsewhere it is one in three.
NOTHING_IN_ROW = -4.0

# --- the whole hand ---------------------------------------------------------------------------------------
# Tiles in a hand, kongs counted as three and the winning tile included: 31 of 14, 7 of 13, 27 of 16 or 17
# (five-set tables; 5 finished, though people who ask for a score photograph finished ones), 8 partial; the
# rest is what one tile missed or wrongly found leads to.
HAND_SIZES = {14: 0.45, 13: 0.10, 16: 0.20, 17: 0.12, 15: 0.015, 12: 0.03, 11: 0.03, 10: 0.03, 18: 0.004}
OTHER_SIZE = 0.002
FEWER_THAN_EIGHT = 1e-5  # no hand, whatever lies there
# Photos that show tiles and no hand: 7 of 80.
NO_HAND = math.log(7 / 73)
# ... and none of them shows rows of five or more with nine tiles in all, as every hand does.
ROW = 5
IN_ROWS = 9
NO_HAND_IN_ROWS = -10.0
# A hand of 14 or 17 tiles that wins rather than not: 21 of 30 do, and a misread tile hardly ever leads to a
# win by chance. The bonus is what a win is worth beyond the order of the row (below); it is smaller than
# NAME_FLOOR's worst, so that it never overrides a tile that was read clearly.
WINS = 5.0
WINS_SAID = 8.0
# Tiles that wait for one (13 or 16): 17 of 31.
WAITS = 1.5

# --- melds ------------------------------------------------------------------------------------------------
# 44 chows, 38 pungs, 8 kongs; 27 of the chows are out of number order (8-7-9), mostly with the claimed tile
# in the middle. A chow has 21 sequences in six orders, a pung 34 faces; relative to tiles that could be
# anything.
ANY_TILE = math.log(1 / 34)
CHOW = math.log(0.48 / 21)
CHOW_ORDERS = {
    (0, 1, 2): math.log(0.42),
    (1, 0, 2): math.log(0.27),
    (0, 2, 1): math.log(0.12),
    (2, 1, 0): math.log(0.07),
    (1, 2, 0): math.log(0.06),
    (2, 0, 1): math.log(0.06),
}
PUNG = math.log(0.42 / 34)
KONG = math.log(0.08 / 34)
CONCEALED_KONG = math.log(0.02)
FLOWER = math.log(0.3 / 8)
# A tile in a row of melds that belongs to none of them.
STRAY = -6.0
# A gap of one tile width inside a meld (the median between two melds is 0.00, so gaps say little elsewhere).
GAP_IN_MELD = -6.0

# --- where rows lie ---------------------------------------------------------------------------------------
# Melds and flowers lie behind the concealed row in 53 of 56 photos with melds.
MELDS_BEHIND = math.log(0.93)
MELDS_IN_FRONT = math.log(0.02)
# Melds at the end of the concealed row are other countries' habit, and they keep clear of it by half a tile
# or more.
MELDS_BESIDE = math.log(0.03)
MELDS_TOUCHING = math.log(0.006)
BESIDE_GAP = 0.8
# Where the claimed tile is laid sideways, it marks a meld.
CLAIMED_SIDEWAYS = math.log(20)
# Rows of one hand lie 1.2 to 2.6 face heights apart; beyond, each further height counts.
ROW_REACH = 3.0
PER_HEIGHT_BEYOND = -1.2
PER_WIDTH_BEYOND = -0.5
# The concealed tiles lie in a second row in 5 of 73 hands, never in a third; the row is broken by a gap in
# 3, in one of them by a single tile.
SECOND_CONCEALED_ROW = math.log(0.07)
THIRD_CONCEALED_ROW = -6.0
CONCEALED_BROKEN = math.log(0.3)
CONCEALED_SINGLE = math.log(0.3)
# The winning tile lies apart in 12 of 31 finished hands: next to the row, or (2) somewhere on the table.
WINNING_NEAR = math.log(0.4)
WINNING_FAR = math.log(0.06)
# A flower by itself near the hand. Flowers are never discarded, so one of the same size is hardly another
# player's.
LOOSE_FLOWER = math.log(0.5)
OTHER_FLOWER = math.log(0.1)
# Tiles of the same size near the row that do not belong to the hand are rare; far ones (beyond ROW_REACH)
# are not.
OTHER_NEAR = math.log(0.05)
OTHER_NEAR_TILE = math.log(0.6)
# ... but where there are some there are more: beyond two they come together, single or two side by side. What
# lies there in a row was laid there.
OTHERS_NEAR = 2.0
STRAY_TILES = 2
# Faces of one hand change their size by up to 12 % for each face height between the rows (median 0.85 of the
# size at 1.4 heights behind); beyond that, with this standard deviation of the log size (5 to 95 %: 0.79 to
# 1.09 of the width).
SIZE_SPREAD = 0.16
CHANGE_PER_HEIGHT = 0.12

# --- the order of concealed tiles -------------------------------------------------------------------------
# Odds of what follows a tile against a random draw, in rows sorted or laid in sets (507 neighbours in
# 55 of 73 hands: 27 % the same, 36 % the next, 3 % the one before, 3 % the next but one).
FOLLOWS_SAME = math.log(9.0)
FOLLOWS_UP = math.log(15.0)
FOLLOWS_DOWN = math.log(1.5)
FOLLOWS_SKIP = math.log(1.8)
FOLLOWS_OTHER = math.log(0.35)
# A kong lying among the concealed tiles, or melds touching them: 1 of 73.
KONG_IN_ROW = math.log(0.1)
# A tile laid apart as the winning one of a hand that has not the tiles to win.
WINNING_UNFINISHED = -3.0
# A tile of the concealed row that still lies face down.
CONCEALED_FACE_DOWN = -6.0


def hand_size(size: int) -> float:
    """Log-odds that a hand has this many tiles."""
    return math.log(FEWER_THAN_EIGHT if size < 8 else HAND_SIZES.get(size, OTHER_SIZE))
