"use client";

import { createContext } from "react";

/** Whether what is shown is part of a question, whose answer may approve it. */
export const IsApproved = createContext(false);
