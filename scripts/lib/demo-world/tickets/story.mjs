/**
 * Returns what tells of the tickets of an organization. `by` opened one, `hoursAgo` before now; `has` is who has it.
 * `course` is what happened since, in hours after it was opened: `[hours, what, text]`, where `what` is one of
 * - `reply` and `answer`: a message of staff, of the client
 * - `note`: an internal note
 * - `start`, `wait`: staff begin to work, or ask the client and wait
 * - `resolve`: staff say what was done; `solved`: the client says it works; `close`: staff close it
 */
export const storyOf =
  (organization) =>
  (by, hoursAgo, priority, category, title, description, rest = {}) => ({
    organization,
    by,
    hoursAgo,
    priority,
    category,
    title,
    description,
    has: null,
    course: [],
    ...rest,
  });
