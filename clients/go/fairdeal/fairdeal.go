// Package fairdeal tells whether a deal was fair by one's own computation: docs/fair-deals.md in code; nothing asks
// the service.
package fairdeal

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	pb "tarneeb/v1"
)

// Commitment is that to a seed; hand 0 is that of a first dealer.
func Commitment(seed []byte, gameID string, handNumber uint32) []byte {
	return hash("tarneeb.commit.v1", seed, []byte(gameID), number(handNumber))
}

// FirstDealer is the seat that a seed picks to deal first.
func FirstDealer(seed []byte, gameID string) pb.Seat {
	return pb.Seat(hash("tarneeb.dealer.v1", seed, []byte(gameID))[0]%4 + 1)
}

// Deck is the shuffled deck, the first card dealt first.
func Deck(seed, cut []byte, gameID string, handNumber uint32) []pb.Card {
	bytes := stream{key: hash("tarneeb.deal.v1", seed, cut, []byte(gameID), number(handNumber))}
	cards := sorted()
	for last := len(cards) - 1; last > 0; last-- {
		place := bytes.below(last + 1)
		cards[last], cards[place] = cards[place], cards[last]
	}
	return cards
}

// Hands are the four of a deck, from North to East, each ascending; the last card is the dealer's.
func Hands(deck []pb.Card, dealer pb.Seat, order pb.DealOrder) [4][]pb.Card {
	var hands [4][]pb.Card
	for index, card := range deck {
		if order == pb.DealOrder_DEAL_ORDER_PACKETS {
			index /= 13
		}
		// The seat at the dealer's right is first; a seat's number is one more than its place.
		place := (int(dealer) + index) % 4
		hands[place] = append(hands[place], card)
	}
	for _, hand := range hands {
		slices.Sort(hand)
	}
	return hands
}

func sorted() []pb.Card {
	cards := make([]pb.Card, 0, 52)
	for suit := pb.Suit_SUIT_CLUBS; suit <= pb.Suit_SUIT_SPADES; suit++ {
		for rank := range 13 {
			cards = append(cards, pb.Card(int(suit)<<4|(rank+2)))
		}
	}
	return cards
}

// hash has each part preceded by its length, so that no two lists of parts are hashed alike.
func hash(purpose string, parts ...[]byte) []byte {
	var told []byte
	for _, part := range append([][]byte{[]byte(purpose)}, parts...) {
		told = binary.BigEndian.AppendUint16(told, uint16(len(part)))
		told = append(told, part...)
	}
	sum := sha256.Sum256(told)
	return sum[:]
}

func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// stream is the bytes by which a deck is shuffled.
type stream struct {
	key   []byte
	block uint32
	rest  []byte
}

func (s *stream) next() int {
	if len(s.rest) == 0 {
		sum := sha256.Sum256(binary.BigEndian.AppendUint32(slices.Clone(s.key), s.block))
		s.rest = sum[:]
		s.block++
	}
	first := s.rest[0]
	s.rest = s.rest[1:]
	return int(first)
}

// below is a number below n, each as likely as any other: bytes above the largest multiple of n are thrown away.
func (s *stream) below(n int) int {
	for {
		if b := s.next(); b < 256-256%n {
			return b % n
		}
	}
}
