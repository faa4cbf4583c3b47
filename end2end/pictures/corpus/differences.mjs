// Cases in which ours and the reference differ visibly: which one is right (and expected by the tests), and why.

export const DIFFERENT = {};
