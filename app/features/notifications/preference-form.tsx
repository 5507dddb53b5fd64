import { zoneName } from "~/lib/time";
import { ButtonRow } from "~/ui/button";
import { Form, Input, SubmitButton, Tick } from "~/ui/form";
import { VisuallyHidden } from "~/ui/text";
import { PREFERENCES_PATH, USUAL_QUIET_HOURS } from "./model";
import type { Preference, QuietHours } from "./preferences.server";

type PreferenceFormProps = {
  action?: string;
  preferences: readonly Preference[];
  quiet: QuietHours | null;
  zone: string;
  /** Null: there are none where the person works. */
  shortcutsOff: boolean | null;
  token: string;
};

export function PreferenceForm(props: PreferenceFormProps) {
  const { action = PREFERENCES_PATH, preferences, quiet, zone, shortcutsOff, token } = props;
  return (
    <Form action={action} token={token} reloadDocument intent="save">
      {preferences.map(({ event, side, label, byMail, inApp }) => (
        <fieldset
          key={event}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line-strong border-b py-[0.9rem]"
        >
          <legend className="float-left font-semibold">{label}</legend>
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            {byMail === null ? (
              "Always by mail"
            ) : (
              <Tick type="checkbox" name={`mail_${event}`} value="on" defaultChecked={byMail}>
                <span>By mail</span>
              </Tick>
            )}
            {inApp === null ? null : (
              <Tick type="checkbox" name={`app_${event}`} value="on" defaultChecked={inApp}>
                <span>{side === "staff" ? "In the app" : "In the portal"}</span>
              </Tick>
            )}
          </div>
        </fieldset>
      ))}
      <fieldset className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 py-[0.9rem]">
        <legend className="float-left mr-3 font-semibold">Quiet hours</legend>
        <Tick type="checkbox" name="quiet" value="on" defaultChecked={quiet !== null}>
          <span>Hold mail</span>
        </Tick>
        {(["from", "until"] as const).map((end) => (
          <span key={end} className="flex min-w-0 flex-wrap items-center gap-x-3">
            <label className="font-normal" htmlFor={`quiet_${end}`}>
              <VisuallyHidden>Hold mail </VisuallyHidden>
              {end === "from" ? "from" : "to"}
            </label>
            <Input
              id={`quiet_${end}`}
              className="w-auto max-w-full px-[min(0.75rem,3vw)]"
              type="time"
              name={`quiet_${end}`}
              defaultValue={(quiet ?? USUAL_QUIET_HOURS)[end]}
            />
          </span>
        ))}
        <span>({zoneName(zone)} time). Urgent mail still comes.</span>
      </fieldset>
      {shortcutsOff === null ? null : (
        <fieldset
          id="shortcuts"
          className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line-strong border-t py-[0.9rem]"
        >
          <legend className="float-left mr-3 font-semibold">Keyboard shortcuts</legend>
          {(["on", "off"] as const).map((state) => (
            <Tick
              key={state}
              type="radio"
              name="shortcuts"
              value={state}
              defaultChecked={shortcutsOff === (state === "off")}
            >
              <span>{state === "on" ? "On" : "Off"}</span>
            </Tick>
          ))}
        </fieldset>
      )}
      <div className="pt-5">
        <ButtonRow>
          <SubmitButton>Save</SubmitButton>
        </ButtonRow>
      </div>
    </Form>
  );
}
