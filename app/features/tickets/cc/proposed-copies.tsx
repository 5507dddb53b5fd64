import { Form, SubmitButton } from "~/ui/form";
import { Box } from "~/ui/page";
import { EmailText, VisuallyHidden } from "~/ui/text";
import type { ProposedCc } from "./queries.server";

type ProposedCopiesProps = { proposed: readonly ProposedCc[]; path: string; token: string | null };

/** Asks about the addresses to which clients have also written: nothing is mailed to them before staff say so. */
export function ProposedCopies({ proposed, path, token }: ProposedCopiesProps) {
  if (proposed.length === 0 || !token) return null;
  return (
    <Box className="grid gap-2 text-sm print:hidden">
      <h2 className="sr-only">Other addresses</h2>
      {proposed.map(({ id, email, by }) => (
        <Form
          key={id}
          action={path}
          token={token}
          name={`proposed ${id}`}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1"
        >
          <input type="hidden" name="proposal" value={id} />
          <p className="wrap-anywhere max-w-none">
            {by} also wrote this to <EmailText email={email} />
          </p>
          <span className="flex gap-2">
            <SubmitButton variant="quiet" size="xs" intent="add_proposed" pendingLabel="Adding...">
              Add<VisuallyHidden> {email}</VisuallyHidden>
            </SubmitButton>
            <SubmitButton variant="quiet" size="xs" intent="ignore_proposed" pendingLabel="Ignoring...">
              Ignore<VisuallyHidden> {email}</VisuallyHidden>
            </SubmitButton>
          </span>
        </Form>
      ))}
    </Box>
  );
}
