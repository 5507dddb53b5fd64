import { Button, ButtonRow } from "~/ui/button";
import { FormColumn } from "~/ui/columns";
import { Field, Input, Textarea } from "~/ui/field";
import { Form } from "~/ui/form";

type UnsentFormProps = {
  action: string;
  token: string;
  formToken: string;
  /** Lists the fields in their order. Those without a label were hidden inputs of the form. */
  fields: { index: number; name: string; value: string; label: string | null; isLong: boolean }[];
};

export function UnsentForm({ action, token, formToken, fields }: UnsentFormProps) {
  return (
    <FormColumn>
      <Form action={action} token={formToken} reloadDocument data-native="">
        <input type="hidden" name="unsent_token" value={token} />
        {fields.map(({ index, name, value, label, isLong }) =>
          label === null ? (
            <input key={index} type="hidden" name={name} value={value} />
          ) : (
            <Field key={index} name={name} label={label}>
              {isLong ? <Textarea rows={8} defaultValue={value} /> : <Input defaultValue={value} />}
            </Field>
          ),
        )}
        <p className="text-ink-2 text-sm">
          Passwords, codes and files are not kept: the next page may ask for them again.
        </p>
        <ButtonRow>
          <Button type="submit" name="unsent" value="send">
            Send it now
          </Button>
          <Button type="submit" variant="quiet" name="unsent" value="discard">
            Don't send it
          </Button>
        </ButtonRow>
      </Form>
    </FormColumn>
  );
}
