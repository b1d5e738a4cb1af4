/** Joins the class names that are set. */
export const classes = (...names: (string | false | undefined | null)[]): string => names.filter(Boolean).join(' ');
