/** A moment of grey, only if it takes long enough to notice. */
export default function Loading() {
  return (
    <div aria-hidden className="mx-auto max-w-3xl animate-pulse space-y-4 px-6 py-10 [animation-delay:200ms]">
      {[0, 1, 2].map((block) => (
        <div key={block} className="h-16 rounded-md bg-sunken" />
      ))}
    </div>
  );
}
