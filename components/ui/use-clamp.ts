"use client";

import { useLayoutEffect, useRef, useState } from "react";

/** Whether a place is too small for what is in it, and whether the person opened it. Its own class cuts it. */
export function useClamp<Place extends HTMLElement>() {
  const place = useRef<Place>(null);
  const [isCut, setCut] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const { current } = place;
    if (!current || isOpen) return;
    const measure = () => setCut(current.scrollHeight > current.clientHeight + 8);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => observer.disconnect();
  }, [isOpen]);
  return { place, isOpen, canFold: isCut || isOpen, toggle: () => setOpen(!isOpen) };
}
