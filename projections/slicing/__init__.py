"""Slicing: a change of a file becomes one closed record, an MSU (minimal semantic unit).

Pure. `folding` joins neighbouring chunks, `diffing` says what changed, `radius` what that touches, `forming`
fits both under their caps, `heat` says how hot a record is at a moment, `speaking` puts it into words. It
refuses to read a file, a table or a clock: texts, facts and times are arguments.
"""
