const id = (prefix: string): string => `${prefix}_01jd4k6f2mep2s5xg5yhc8m1zr`;

/**
 * The ids of one example story, the same that the OpenAPI document shows: a student of a teacher's group, with a license, an
 * exam and its submission, a guardian, and a coupon batch of the institution.
 */
export const exampleIds = {
  institution: id('ins'),
  event: id('evt'),
  endpoint: id('we'),
  student: id('stu'),
  faculty: id('fac'),
  group: id('grp'),
  license: id('lic'),
  seat: id('seat'),
  exam: id('exm'),
  attempt: id('att'),
  submission: id('sub'),
  guardian: id('gdn'),
  batch: id('cpb'),
} as const;
