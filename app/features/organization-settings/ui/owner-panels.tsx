import { MFA_GRACE } from "~/access/mfa-requirement";
import { TRANSFER_OWNERSHIP } from "~/features/members/copy";
import { LinkButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { HISTORY, withoutFactorText } from "../copy";
import { HISTORY_PATH, ORGANIZATION_PATH, TRANSFER_PATH, TWO_STEP_ID, type WithoutFactor } from "../model";

type MfaPanelProps = {
  requiredAt: number | null;
  withoutFactor: WithoutFactor;
  zone: string;
  token: string;
  organizationId: string;
};

/** Shows whether every member needs two-step sign-in, who lacks it, and the button that decides it. */
export function MfaPanel({ requiredAt, withoutFactor, zone, token, organizationId }: MfaPanelProps) {
  const { names, count } = withoutFactor;
  return (
    <Panel id={TWO_STEP_ID} title="Two-step sign-in">
      <div className="grid gap-3">
        <p>
          {requiredAt === null ? (
            "Each member decides. If you require it, members who lack it have 7 days to set it up."
          ) : (
            <>
              Required since <Time at={requiredAt} zone={zone} mode="date" />. Members who lack it lose access on{" "}
              <Time at={requiredAt + MFA_GRACE} zone={zone} mode="date" />, new ones 7 days after joining.
            </>
          )}
        </p>
        <p>{withoutFactorText(withoutFactor)}</p>
        {names.length > 0 ? (
          <ul className="list-disc pl-5">
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two members may have the same name
              <li key={index}>{name}</li>
            ))}
            {count > names.length ? <li>and {count - names.length} more</li> : null}
          </ul>
        ) : null}
        <Form action={ORGANIZATION_PATH} name="require-mfa" token={token}>
          <input type="hidden" name="intent" value="require-mfa" />
          <input type="hidden" name="organization_id" value={organizationId} />
          <input type="hidden" name="require_mfa" value={requiredAt === null ? "on" : ""} />
          <SubmitButton variant="quiet" pendingLabel="Saving...">
            {requiredAt === null ? "Require two-step sign-in" : "Stop requiring it"}
          </SubmitButton>
        </Form>
      </div>
    </Panel>
  );
}

/** Leads to what only the owner may do. */
export function OwnershipPanel() {
  return (
    <Panel id="ownership" title="Ownership">
      <div className="grid justify-items-start gap-3">
        <p>You own this organization. To leave it, transfer ownership first.</p>
        <LinkButton variant="quiet" to={TRANSFER_PATH}>
          {TRANSFER_OWNERSHIP}
        </LinkButton>
        <p>
          <Link to={HISTORY_PATH}>{HISTORY}</Link>: who invited, removed, changed a role or exported.
        </p>
      </div>
    </Panel>
  );
}
