/** Who a live event is for: all staff, or the people of one organization. Also the name of the hub instance. */
export type Audience = "staff" | `org:${string}`;

export const organizationAudience = (organizationId: string): Audience => `org:${organizationId}`;

/** The tags a socket carries, so that it can be closed by person, by session and by platform role. */
export const socketTags = (person: { uid: string; sid: string; role: string }): string[] => [
  `u:${person.uid}`,
  `s:${person.sid}`,
  `r:${person.role}`,
];
