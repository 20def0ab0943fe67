type KeysOf<Union> = Union extends Union ? keyof Union : never;

/**
 * A member of a union whose every field can be read: a field that only other members have is undefined. Testing the
 * discriminant still narrows to the exact member, and a field that no member has is still a type error.
 */
export type Readable<Union, Member> = Member extends Member
  ? Member & { [Key in Exclude<KeysOf<Union>, keyof Member>]?: undefined }
  : never;
