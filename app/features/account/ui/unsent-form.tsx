import { Actions } from "~/ui/actions";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { FormColumn } from "~/ui/form-column";
import { Input } from "~/ui/input";
import { Textarea } from "~/ui/textarea";

type UnsentFormProps = {
  action: string;
  token: string;
  formToken: string;
  /** In their order. Without a label: what the form's page had filled in by itself. */
  fields: { place: number; name: string; value: string; label: string | null; isLong: boolean }[];
};

/** A form that met the end of its session, filled in as it was. Secrets and files have to be given again. */
export function UnsentForm({ action, token, formToken, fields }: UnsentFormProps) {
  return (
    <FormColumn>
      <Form action={action} token={formToken} reloadDocument>
        <input type="hidden" name="unsent_token" value={token} />
        {fields.map(({ place, name, value, label, isLong }) =>
          label === null ? (
            <input key={place} type="hidden" name={name} value={value} />
          ) : (
            <Field key={place} name={name} label={label}>
              {isLong ? <Textarea rows={8} defaultValue={value} /> : <Input defaultValue={value} />}
            </Field>
          ),
        )}
        <p className="text-ink-2 text-sm">
          Passwords, codes and files are not kept: the next page may ask for them again.
        </p>
        <Actions>
          <Button type="submit" name="unsent" value="send">
            Send it now
          </Button>
          <Button type="submit" variant="quiet" name="unsent" value="discard">
            Don't send it
          </Button>
        </Actions>
      </Form>
    </FormColumn>
  );
}
