import { UserText } from "~/ui/user-text";
import type { Overtaken } from "../conversation/overtaken.server";

/** Shows what others wrote meanwhile, above the reply that was not sent. */
export function NewerMessages({ overtaken }: { overtaken: Overtaken }) {
  return (
    <div className="grid gap-2 rounded-3 border border-line-strong bg-paper px-3 py-2">
      {overtaken.messages.map(({ id, author, text }) => (
        <div key={id}>
          <p className="font-semibold text-sm">{author} wrote:</p>
          <UserText size="sm" hasLinks>
            {text}
          </UserText>
        </div>
      ))}
      <p className="max-w-none text-sm">Your reply was not sent. Send it anyway, or edit it first.</p>
    </div>
  );
}
