module go-pages

go 1.25

require (
	codeberg.org/readeck/go-readability/v2 v2.1.3
	github.com/JohannesKaufmann/html-to-markdown/v2 v2.5.2
	github.com/gocolly/colly/v2 v2.3.0
)
