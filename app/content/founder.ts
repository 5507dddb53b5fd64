/**
 * Holds the sentence of the founder, without quotation marks. While it is empty, or no picture is given, no page shows
 * a block for them: a made-up face would be the one thing on this site that cannot be checked. The name and the story
 * are those of the brand.
 */
export const founderWords = "";

export const founderSection = { title: "The person who answers for it", link: "Read the story" };
