/**
 * Tells whether a link is marked as current. A section's pages mark the section; the home of the area marks only
 * itself.
 */
export const isCurrentSection = (link: string, path: string, home: string): boolean =>
  link === path || (link !== home && path.startsWith(`${link}/`));
