/** Describes the person who answers for the provider: a portrait from `public/images`, and their own sentence. */
type Founder = {
  portrait: { src: string; alt: string; width: number; height: number };
  /** Holds one or two sentences, in the founder's words and without quotation marks. */
  words: string;
};

/**
 * Holds the founder's portrait and words. While it is null, no page shows a block for them: a made-up face would be the
 * one thing on this site that cannot be checked. The name below is `brand.founder`.
 */
export const founder: Founder | null = null;

export const founderSection = { title: "The person who answers for it", link: "Read the story" };
