/** Builds the tags by which the hub finds sockets: of a person, of a session. */
export const socketTag = {
  user: (userId: string) => `u:${userId}`,
  session: (sessionHash: string) => `s:${sessionHash}`,
};

/** Returns the tags of a new socket. */
export const socketTags = (person: { uid: string; sid: string }): string[] => [
  socketTag.user(person.uid),
  socketTag.session(person.sid),
];
