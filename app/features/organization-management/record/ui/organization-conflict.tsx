import { PLAN_LABELS } from "~/features/organizations/model";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { FactList } from "~/ui/fact-list";
import { Form, SubmitButton } from "~/ui/form";
import { Box } from "~/ui/panel";
import { UserText } from "~/ui/user-text";
import { ORGANIZATION_CHANGED } from "../../copy";
import type { OrganizationRecord } from "../../model";
import type { OrganizationValues } from "../../ui/organization-fields";

type OrganizationConflictProps = {
  /** Holds the organization as it is now. */
  current: OrganizationRecord;
  /** Holds what the person has typed in the meantime. */
  typed: OrganizationValues;
  token: string;
  path: string;
};

/** Shows both versions when two people have changed one organization, and the choice between them. */
export function OrganizationConflict({ current, typed, token, path }: OrganizationConflictProps) {
  return (
    <Box className="grid gap-[0.9rem]" role="alert">
      <p>{ORGANIZATION_CHANGED}. Nothing of yours is saved yet.</p>
      <h2>The organization as it is now</h2>
      <FactList facts={factsOf({ ...current, domains: current.domains.join("\n") })} />
      <h2>Your version</h2>
      <FactList facts={factsOf(typed)} />
      <Form action={path} token={token} name="edit">
        <input type="hidden" name="version" value={current.version} />
        {Object.entries(typed).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ButtonRow dense>
          <SubmitButton variant="danger" name="intent" value="edit" pendingLabel="Saving...">
            Overwrite
          </SubmitButton>
          <LinkButton variant="quiet" to={path}>
            Discard
          </LinkButton>
        </ButtonRow>
      </Form>
    </Box>
  );
}

const factsOf = ({ name, description, plan, domains }: OrganizationValues) => [
  { term: "Name", detail: name },
  { term: "Description", detail: description ? <UserText size="sm">{description}</UserText> : null },
  { term: "Plan", detail: Object.entries(PLAN_LABELS).find(([id]) => id === plan)?.[1] ?? PLAN_LABELS.none },
  { term: "Domains", detail: domains ? <UserText size="sm">{domains}</UserText> : null },
];
