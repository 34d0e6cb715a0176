// Reads pages with colly, each to Markdown by html-to-markdown: the whole page, or what go-readability finds to be its
// main content. Takes a job a line as JSON, answers with pages per second. Argument: `whole` or `readability`.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"codeberg.org/readeck/go-readability/v2"
	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/gocolly/colly/v2"
	"golang.org/x/net/html"
)

// job has pages to read, or a site to crawl.
type job struct {
	Urls  []string
	Lanes int
	// A site of so many pages, which is crawled so many times.
	Url                       string
	Pages, Concurrency, Times int
}

type reader func(document *html.Node, address *url.URL) ([]byte, error)

var readers = map[string]reader{
	"whole": func(document *html.Node, _ *url.URL) ([]byte, error) {
		return htmltomarkdown.ConvertNode(document)
	},
	"readability": func(document *html.Node, address *url.URL) ([]byte, error) {
		article, err := readability.FromDocument(document, address)
		if err != nil {
			return nil, err
		}
		return htmltomarkdown.ConvertNode(article.Node)
	},
}

func main() {
	read, known := readers[os.Args[1]]
	if !known {
		log.Fatalf("There is no reader %s.", os.Args[1])
	}
	say("ready")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var asked job
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		start := time.Now()
		count := asked.run(read)
		say(float64(count) / time.Since(start).Seconds())
	}
}

// run answers how many pages were read.
func (asked job) run(read reader) int {
	if asked.Urls != nil {
		scrape(asked.Urls, asked.Lanes, read)
		return len(asked.Urls)
	}
	for range asked.Times {
		crawl(asked, read)
	}
	return asked.Pages * asked.Times
}

func scrape(urls []string, lanes int, read reader) {
	var pages kept
	collector := collect(lanes)
	collector.AllowURLRevisit = true
	collector.OnResponse(func(response *colly.Response) {
		pages.add(read(parse(response.Body), response.Request.URL))
	})
	for _, address := range urls {
		if err := collector.Visit(address); err != nil {
			log.Fatal(err)
		}
	}
	collector.Wait()
	pages.expect(len(urls))
}

func crawl(asked job, read reader) {
	var pages kept
	collector := collect(asked.Concurrency)
	// One tree for the links and the Markdown.
	collector.OnHTML("html", func(page *colly.HTMLElement) {
		page.ForEach("a[href]", func(_ int, link *colly.HTMLElement) {
			// An address that is known is refused.
			_ = page.Request.Visit(link.Attr("href"))
		})
		pages.add(read(page.DOM.Nodes[0].Parent, page.Request.URL))
	})
	if err := collector.Visit(asked.Url); err != nil {
		log.Fatal(err)
	}
	collector.Wait()
	pages.expect(asked.Pages)
}

func collect(lanes int) *colly.Collector {
	collector := colly.NewCollector(colly.Async())
	collector.WithTransport(&http.Transport{MaxIdleConnsPerHost: lanes})
	if err := collector.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: lanes}); err != nil {
		log.Fatal(err)
	}
	collector.OnError(func(response *colly.Response, err error) {
		log.Fatalf("%s: %v", response.Request.URL, err)
	})
	return collector
}

func parse(body []byte) *html.Node {
	document, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	return document
}

// kept is the Markdown of pages.
type kept struct {
	mutex sync.Mutex
	pages [][]byte
}

func (pages *kept) add(markdown []byte, err error) {
	if err != nil {
		log.Fatal(err)
	}
	pages.mutex.Lock()
	defer pages.mutex.Unlock()
	pages.pages = append(pages.pages, markdown)
}

func (pages *kept) expect(count int) {
	empty := 0
	for _, markdown := range pages.pages {
		if len(markdown) < 1000 {
			empty++
		}
	}
	if len(pages.pages) != count || empty > 0 {
		log.Fatalf("%d pages of %d, %d of them empty", len(pages.pages), count, empty)
	}
}

func say(answer any) {
	text, err := json.Marshal(answer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}
