import { InvalidLinkCard } from "~/features/sign-in/link-card";
import { Docket, DocketBody } from "~/ui/docket";
import { SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { PREFERENCES_PATH } from "./model";
import type { UnsubscribePage } from "./unsubscribe.server";

type UnsubscribeCardProps = UnsubscribePage & {
  path: string;
  /** Says how far it goes, to whoever has no account; absent: people choose more in their settings. */
  note?: string;
};

export function UnsubscribeCard({ label, isDone, path, note }: UnsubscribeCardProps) {
  if (label === null) {
    return (
      <InvalidLinkCard
        title="Unsubscribe"
        error="Copy the whole address from the mail, or choose in your settings which mail you get."
        otherwise={{ label: "Choose which mail you get", to: PREFERENCES_PATH }}
      />
    );
  }
  return (
    <Docket alone id="unsubscribe" title={isDone ? "Unsubscribed" : "Unsubscribe"} heading="h1">
      <DocketBody alone>
        {isDone ? (
          <p role="status">You get no more mail of this kind: {label}.</p>
        ) : (
          <form method="post" action={path}>
            <p className="mb-4">No more mail of this kind: {label}.</p>
            <input type="hidden" name="List-Unsubscribe" value="One-Click" />
            <SubmitButton wide>Unsubscribe</SubmitButton>
          </form>
        )}
        <p>{note ?? <Link to={PREFERENCES_PATH}>Choose which mail you get</Link>}</p>
      </DocketBody>
    </Docket>
  );
}
