import type { FieldErrors } from "~/lib/form";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { Input } from "~/ui/input";
import { SaveButton } from "~/ui/save-button";
import { Select } from "~/ui/select";
import { submissionPath } from "../../subject";

type AssignFormProps = {
  submission: { id: string; owner: { id: string; name: string } | null; followUpOn: string | null };
  staff: readonly { id: string; name: string }[];
  token: string;
  errors: FieldErrors;
};

/** Asks who looks after the submission, and for the day of the follow-up. */
export function AssignForm({ submission, staff, token, errors }: AssignFormProps) {
  const { id, owner, followUpOn } = submission;
  const former = owner && !staff.some((person) => person.id === owner.id) ? [owner] : [];
  const choices = [...staff, ...former].map((person) => ({ value: person.id, label: person.name }));
  return (
    <Form action={submissionPath(id)} token={token} name="assign" staysFilled>
      <Field name="owner" label="Owner">
        <Select key={owner?.id} options={[{ value: "", label: "Nobody" }, ...choices]} defaultValue={owner?.id ?? ""} />
      </Field>
      <Field name="follow_up_on" label="Follow up on" error={errors.follow_up_on}>
        <Input key={followUpOn} type="date" autoComplete="off" defaultValue={followUpOn ?? ""} />
      </Field>
      <SaveButton variant="quiet" name="intent" value="assign">
        Save owner and date
      </SaveButton>
    </Form>
  );
}
