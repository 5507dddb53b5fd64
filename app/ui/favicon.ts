/** Holds public/favicon.svg as a data URL, which saves a first visit one request. */
export const favicon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -6 36 36" fill="none" stroke-width="5"><style>path{stroke:#041a21}path+path{stroke:#0f5a66}@media(prefers-color-scheme:dark){path{stroke:#eaf2f3}path+path{stroke:#96d0d7}}</style><path d="M2.5 9 8 19.5 16 5"/><path d="M15.2 12.5 19 19.5 31.5 2"/></svg>`,
)}`;
