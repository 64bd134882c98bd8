// The pages of the desk work without scripts; this adds what needs one.
