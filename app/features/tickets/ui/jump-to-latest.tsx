/** Limits the messages that can be passed by without a link to the last of them. */
const FEW = 10;

/** Leads from the top of a long conversation to its last message, which takes the focus. */
export function JumpToLatest({ messages }: { messages: readonly { id: string }[] }) {
  const last = messages.at(-1);
  if (!last || messages.length <= FEW) return null;
  return <a href={`#${last.id}`}>Jump to the latest message</a>;
}
