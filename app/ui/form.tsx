import { useActionData, useFetcher, useLocation } from "@remix-run/react";
import {
  type ButtonHTMLAttributes,
  createContext,
  type FormEvent,
  type MouseEvent,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Form as RouterForm, type FormProps as RouterFormProps } from "react-router-dom";
import type { FormAnswer } from "~/lib/form";
import { Button, type ButtonVariant } from "./button";
import { cx } from "./cx";

export const formKey = (action: string, name: string) => `${action} ${name}`;

const MARKS: readonly (keyof FormAnswer)[] = ["notSaved", "rejection", "saved", "unchanged", "done", "leaving"];

export const isFormAnswer = (data: unknown): data is FormAnswer =>
  typeof data === "object" && data !== null && MARKS.some((mark) => mark in data);

const isDone = (data: unknown): boolean => isFormAnswer(data) && ("done" in data || "saved" in data);

const isRefused = (data: unknown): boolean =>
  data !== undefined && (!isFormAnswer(data) || "notSaved" in data || "rejection" in data);

/** Undefined once the form is accepted. `key` is that of `formKey`. */
export function useFormResult<Body>(key: string): Body | undefined {
  const { data } = useFetcher<Body | FormAnswer>({ key });
  const posted = usePostedResult<Body>();
  if (data !== undefined) return isFormAnswer(data) ? undefined : (data as Body);
  return posted;
}

/** Returns the action data of the document, until the next navigation: a page that refreshes itself would drop it. */
export function usePostedResult<Body>(): Body | undefined {
  const { key } = useLocation();
  const data = useActionData() as Body | undefined;
  const held = useRef({ key, data });
  if (held.current.key !== key || data !== undefined) held.current = { key, data };
  return held.current.data;
}

/** `data`: what the server answered last, an object of its own each time; undefined before. */
type Sending = { isPending: boolean; answer: FormAnswer; data: unknown };

const FormContext = createContext<Sending>({ isPending: false, answer: {}, data: undefined });

export const useSending = () => useContext(FormContext);

type FormProps = Omit<RouterFormProps, "noValidate" | "navigate" | "fetcherKey"> & {
  token?: string;
  name?: string;
  staysFilled?: boolean;
};

type Submitter = HTMLButtonElement | null;

/**
 * Works without scripts. On a hydrated page a fetcher sends it, so that page, typed text, focus and scroll position
 * stay when it fails (docs/decisions/0007-no-form-and-toast-library.md). The token comes first: in a multipart body it
 * must be read before any file. `reloadDocument` where the response leaves the signed-in areas.
 */
export function Form({ token, method = "post", name, staysFilled, onSubmit, children, ...rest }: FormProps) {
  const id = useId();
  const { state, data, submit } = useFetcher({ key: formKey(rest.action ?? "", name ?? id) });
  // Whoever reads what is wrong can mend it and press again, while the page still reads its data anew.
  const isPending = state === "submitting" || (state === "loading" && !isRefused(data));
  const answer = isFormAnswer(data) ? data : {};
  const form = useRef<HTMLFormElement>(null);
  const submitter = useRef<Submitter>(null);
  const rounds = useRounds(isPending, isDone(data) && !staysFilled);
  // Other controls may belong to it by their attribute `form`.
  useEffect(() => {
    if (rounds > 0) form.current?.reset();
  }, [rounds]);
  // Under the same token the action runs once: a form whose fate is unknown is sent again under the one it had.
  const sentToken = useRef(token);
  if (!isPending && !answer.notSaved) sentToken.current = token;

  const send = (event: FormEvent<HTMLFormElement>) => {
    onSubmit?.(event);
    if (rest.reloadDocument || event.defaultPrevented) return;
    event.preventDefault();
    if (isPending) return;
    submitter.current = (event.nativeEvent as SubmitEvent).submitter as Submitter;
    submit(submitter.current ?? event.currentTarget, { preventScrollReset: true });
  };
  return (
    <RouterForm key={rounds} ref={form} method={method} noValidate onSubmit={send} {...rest}>
      {token === undefined ? null : <input type="hidden" name="form_token" value={sentToken.current} />}
      <FormContext.Provider value={{ isPending, answer, data }}>
        {children}
        <Failure {...answer} retry={() => form.current?.requestSubmit(submitter.current)} />
      </FormContext.Provider>
    </RouterForm>
  );
}

function useRounds(isPending: boolean, isAccepted: boolean): number {
  const [sent, setSent] = useState({ isPending, rounds: 0 });
  const isOver = sent.isPending && !isPending && isAccepted;
  if (sent.isPending !== isPending) setSent({ isPending, rounds: sent.rounds + (isOver ? 1 : 0) });
  return sent.rounds;
}

function Failure({ notSaved, rejection, retry }: FormAnswer & { retry: () => void }) {
  if (!notSaved && !rejection) return null;
  return (
    <div className="mt-2 flex w-full flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-danger" role="alert">
      {rejection ?? (notSaved === true ? "Not saved. Check your connection and try again." : notSaved)}
      {notSaved ? (
        <Button variant="quiet" size="xs" onClick={retry}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}

type SubmitButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant;
  size?: "md" | "sm" | "xs";
  wide?: boolean;
  pendingLabel?: string;
};

export function SubmitButton({ pendingLabel, children, className, onClick, ...rest }: SubmitButtonProps) {
  const { isPending } = useSending();
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) return event.preventDefault();
    event.currentTarget.style.minWidth = `${event.currentTarget.offsetWidth}px`;
    onClick?.(event);
  };
  return (
    <Button
      type="submit"
      className={cx(
        "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress aria-disabled:opacity-75",
        pendingLabel &&
          "inline-grid content-center gap-y-0 after:invisible after:h-0 after:overflow-hidden after:content-[attr(data-pending-label)]",
        className,
      )}
      aria-disabled={isPending || undefined}
      onClick={press}
      data-pending-label={pendingLabel}
      {...rest}
    >
      {isPending && pendingLabel ? pendingLabel : children}
    </Button>
  );
}

/** Delays "Saving…" in milliseconds: what is faster needs no word. */
const SAVING_DELAY_MS = 300;

export function useDelayed(isOn: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isOn) return setIsLong(false);
    const timer = setTimeout(() => setIsLong(true), SAVING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isOn && isLong;
}

/** Before the scripts run nothing is known, and the server checks them anyway. */
export function useFilled(names: readonly string[]) {
  const area = useRef<HTMLDivElement>(null);
  const [isFilled, setFilled] = useState(true);
  const check = () => {
    const form = area.current?.closest("form");
    if (form) setFilled(names.every((name) => String(new FormData(form).get(name) ?? "").trim() !== ""));
  };
  useEffect(check);
  return { area, isFilled, check };
}
