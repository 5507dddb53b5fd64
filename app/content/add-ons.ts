export type AddOnId =
  | "webServices"
  | "extraOnsiteVisits"
  | "extraAfterHoursSupport"
  | "additionalCameraSupport"
  | "secureStorage";

export type AddOn = { id: AddOnId; name: string; monthlyCents: number };

export const addOns: readonly AddOn[] = [
  { id: "webServices", name: "Web services", monthlyCents: 20_000 },
  { id: "extraOnsiteVisits", name: "Extra onsite visits", monthlyCents: 15_000 },
  { id: "extraAfterHoursSupport", name: "Extra after-hours support", monthlyCents: 12_000 },
  { id: "additionalCameraSupport", name: "Additional camera support", monthlyCents: 7_500 },
  { id: "secureStorage", name: "Secure storage", monthlyCents: 10_000 },
];
