"""Label files in the formats of other tools, one module a format, all written image by image.

Written here and not by a conversion library: globox and supervision hold a whole data set in memory, keep
upright boxes only, and know no predictions; what they read is checked against them in the tests.
"""
