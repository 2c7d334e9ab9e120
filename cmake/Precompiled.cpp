// Gives the target of the precompiled header a source file.
