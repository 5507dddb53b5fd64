import { useLocation } from "@remix-run/react";
import {
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { STAFF_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { submissionPath } from "~/features/submissions/subject";
import type { LiveEventFrame } from "~/live/protocol";
import { useLive } from "~/live/use-live";
import { TextButton, TextLink } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Form } from "~/ui/form";
import { Icon, X } from "~/ui/icon";
import { Link } from "~/ui/link";
import { Time, VisuallyHidden } from "~/ui/text";
import { LIVE_PAUSED, NEW_SUBMISSION_TITLE } from "../labels";
import { LIVE_PANEL_SIZE, type LiveUpdate, liveUpdate, mergeUpdates, STAFF_LIVE_PATH } from "../model";
import { SidePanel, TOAST_PLACE } from "./workspace-layout";

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> & {
  of: string;
  label: string;
};

function IconButton({ of, label, type = "button", className, ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      className={cx(
        "grid size-7 cursor-pointer place-items-center rounded-2 border-0 bg-transparent p-0 text-ink-3 hover:bg-sunken hover:text-ink max-md:size-11",
        className,
      )}
      aria-label={label}
      {...rest}
    >
      <Icon of={of} />
    </button>
  );
}

type ListProps = {
  updates: readonly LiveUpdate[];
  zone: string;
  token: string;
  path: string;
};

function LiveUpdateList({ updates, zone, token, path }: ListProps) {
  return (
    <ul className="live-updates">
      {updates.map(({ seq, label, href, at }) => (
        <li key={seq}>
          <p>
            {href ? (
              <Link className="line-clamp-3" to={href}>
                {label}
              </Link>
            ) : (
              label
            )}
            <span className="block text-ink-3">
              <Time at={at} zone={zone} />
            </span>
          </p>
          <Form action={STAFF_NOTIFICATIONS_PATH} token={token}>
            <input type="hidden" name="return_to" value={path} />
            <input type="hidden" name="seq" value={seq} />
            <IconButton type="submit" name="intent" value="dismiss" of={X} label={`Dismiss: ${label}`} />
          </Form>
        </li>
      ))}
    </ul>
  );
}

function DismissAll({ updates, token, path }: Omit<ListProps, "zone">) {
  const [newest] = updates;
  if (!newest) return null;
  return (
    <Form action={STAFF_NOTIFICATIONS_PATH} token={token}>
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="through" value={newest.seq} />
      <TextButton type="submit" name="intent" value="dismiss_all">
        Dismiss all
      </TextButton>
    </Form>
  );
}

type LivePanelProps = {
  updates: readonly LiveUpdate[];
  zone: string;
  token: string;
  /** Says why nothing new appears by itself at the moment; `null` while the connection is open. */
  paused: string | null;
  /** Stops or restarts live updates; `null` until scripts have taken over. */
  control: { label: string; act: () => void } | null;
  path: string;
};

export function LivePanel({ updates, zone, token, paused, control, path }: LivePanelProps) {
  return (
    <div className="workspace-live">
      <SidePanel
        as="section"
        id="live-updates"
        className="border-line max-md:px-4 max-md:py-3 md:border-t md:px-[0.6rem] md:pt-[0.9rem]"
        aria-labelledby="live-title"
      >
        <div className="flex items-center justify-between gap-2">
          <h2 className="font-semibold text-sm/[1.4] tracking-[0]" id="live-title">
            Live updates
          </h2>
          {control ? (
            <TextButton onClick={control.act}>
              {control.label}
              <VisuallyHidden> live updates</VisuallyHidden>
            </TextButton>
          ) : null}
        </div>
        {paused ? (
          <p className="py-[0.4rem] text-ink-2 text-xs">
            {paused} <Link to={path}>Refresh</Link>
          </p>
        ) : null}
        <noscript>
          <p>
            <a href={path}>Refresh</a>
          </p>
        </noscript>
        {updates.length === 0 && !paused ? (
          <p className="py-[0.4rem] text-ink-2 text-xs">Nothing new since you opened this page.</p>
        ) : null}
        <div aria-live="polite">
          <LiveUpdateList updates={updates} zone={zone} token={token} path={path} />
        </div>
        {updates.length > 0 ? (
          <div className="flex items-center justify-between gap-2">
            <TextLink to={STAFF_NOTIFICATIONS_PATH}>See all</TextLink>
            <DismissAll updates={updates} token={token} path={path} />
          </div>
        ) : null}
      </SidePanel>
    </div>
  );
}

type LiveUpdatesProps = {
  updates: readonly LiveUpdate[];
  lastSeq: number;
  zone: string;
  token: string;
  path: string;
};

/**
 * Before that, and without them, it is the list that the server made, and every update can be dismissed with a plain
 * form.
 */
export function LiveUpdates({ updates, lastSeq, zone, token, path }: LiveUpdatesProps) {
  const [received, setReceived] = useState<readonly LiveUpdate[]>([]);
  const [newSubmission, setNewSubmission] = useState<LiveEventFrame | null>(null);
  const closeToast = useCallback(() => setNewSubmission(null), []);
  const { state, isStale, pause, resume } = useLive(STAFF_LIVE_PATH, {
    lastSeq,
    onEvent: (event) => {
      const update = liveUpdate({ ...event, at: Date.parse(event.at) });
      setReceived((before) => [update, ...before].slice(0, LIVE_PANEL_SIZE));
      if (event.type === "new_submission") setNewSubmission(event);
    },
  });
  const controls = {
    connecting: null,
    live: { label: "Pause", act: pause },
    paused: { label: "Resume", act: resume },
  };
  return (
    <>
      {newSubmission
        ? createPortal(
            <Toast key={newSubmission.seq} {...toastFor(newSubmission)} onClose={closeToast} />,
            document.getElementById(TOAST_PLACE) ?? document.body,
          )
        : null}
      <LivePanel
        updates={mergeUpdates(updates, lastSeq, received)}
        zone={zone}
        token={token}
        paused={state === "paused" || isStale ? LIVE_PAUSED : null}
        control={controls[state]}
        path={path}
      />
    </>
  );
}

const toastFor = ({ id, label }: LiveEventFrame) => ({
  title: NEW_SUBMISSION_TITLE,
  message: label,
  to: submissionPath(id),
});

type ToastProps = {
  title: string;
  message: string;
  to: string;
  /** Closes the toast; must stay the same function, or the time starts over. */
  onClose: () => void;
};

const SHOWN_MS = 10_000;

/** Goes away after a while, but not while somebody points at it or has the focus in it, and once its page is open. */
function Toast({ title, message, to, onClose }: ToastProps) {
  const [isHeld, setHeld] = useState(false);
  const { pathname } = useLocation();
  const isOpened = pathname === to;
  useEffect(() => {
    if (isHeld && !isOpened) return;
    const timer = setTimeout(onClose, isOpened ? 0 : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, isOpened, onClose]);
  const updateHeld = ({ currentTarget }: SyntheticEvent) => setHeld(currentTarget.matches(":hover, :focus-within"));
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape") onClose();
  };
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 border-line-strong border-l-4 border-l-brand bg-raised pl-2 text-xs/[1.4] md:rounded-2 md:border-y md:border-r md:py-2"
      data-live-toast=""
      onPointerEnter={updateHeld}
      onPointerLeave={updateHeld}
      onFocus={updateHeld}
      onBlur={updateHeld}
      onKeyDown={closeByKey}
    >
      <strong className="col-start-1 truncate">{title}</strong>
      <p className="col-start-1 max-md:truncate">
        <Link to={to}>{message}</Link>
      </p>
      <IconButton className="[grid-area:1/2/3/3]" of={X} label={`Close: ${title}`} onClick={onClose} />
    </section>
  );
}

type NotificationListProps = { updates: readonly LiveUpdate[]; zone: string; token: string; path: string };

export function NotificationList({ updates, zone, token, path }: NotificationListProps) {
  return (
    <section aria-labelledby="team-updates" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-lg" id="team-updates">
          Latest updates
        </h2>
        <DismissAll updates={updates} token={token} path={path} />
      </div>
      {updates.length === 0 ? (
        <p className="text-ink-2">Nothing new. What you have dismissed is not shown again.</p>
      ) : (
        <LiveUpdateList updates={updates} zone={zone} token={token} path={path} />
      )}
    </section>
  );
}
