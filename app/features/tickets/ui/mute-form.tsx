import type { ReactNode } from "react";
import { Form, SubmitButton } from "~/ui/form";

type MuteFormProps = {
  isMuted: boolean;
  /** Holds the address of the page, which takes the form. */
  path: string;
  token: string;
  /** Holds further hidden fields. */
  children?: ReactNode;
};

/**
 * Keeps the reader from hearing of the ticket, by mail and in the list of notifications, or lets them hear of it again.
 */
export function MuteForm({ isMuted, path, token, children }: MuteFormProps) {
  return (
    <Form action={path} token={token} name="mute" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {children}
      <input type="hidden" name="muted" value={isMuted ? "no" : "yes"} />
      <SubmitButton variant="quiet" size="xs" name="intent" value="mute">
        {isMuted ? "Unmute" : "Mute"}
      </SubmitButton>
      <span className="text-ink-2 text-xs">
        {isMuted ? "You hear nothing of this ticket." : "No mails and notifications about this ticket."}
      </span>
    </Form>
  );
}
