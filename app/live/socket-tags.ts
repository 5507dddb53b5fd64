/** Builds the tags by which the hub finds sockets: of a person, of a session, of a platform role. */
export const socketTag = {
  user: (userId: string) => `u:${userId}`,
  session: (sessionHash: string) => `s:${sessionHash}`,
  role: (role: string) => `r:${role}`,
};

/** Returns the tags of a new socket. */
export const socketTags = (person: { uid: string; sid: string; role: string }): string[] => [
  socketTag.user(person.uid),
  socketTag.session(person.sid),
  socketTag.role(person.role),
];
