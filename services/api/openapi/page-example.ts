/** What is read of a page, as scrapes and crawls answer it. */
export function pageExample(finalUrl: string) {
  return {
    markdown: "# Example Domain\n\nThis domain is for use in documentation examples.",
    metadata: {
      title: "Example Domain",
      status_code: 200,
      final_url: finalUrl,
      description: null,
      language: "en",
      canonical_url: null,
      og: {},
      engine: "http",
      proxy_location: null,
    },
  };
}
